"""What pages say that stand in for something else, in the languages that the register's sources are written in.

Each pattern is looked for in titles and first headings of short pages only (`sources.standins` says why), so it may be
shorter than one for running text could be. The first group that fits counts: a test for robots often says "access
denied", a login "please enable JavaScript".
"""

import re
from dataclasses import dataclass

BLOCKED, SUSPECT, RATE_LIMITED = "blocked", "suspect", "rate_limited"


@dataclass(frozen=True)
class Standin:
    """What a page is instead of the thing cited: the outcome and the reason, as part of a sentence."""

    outcome: str
    reason: str


def either(*patterns: str) -> re.Pattern[str]:
    """One pattern that finds any of these, in capitals or not."""
    return re.compile("|".join(patterns), re.I)


SAYS = [
    (
        Standin(BLOCKED, "asks for proof that the visitor is no robot"),
        either(
            r"^just a moment\b",
            r"not a (?:ro)?bot\b",
            r"are you (?:a )?(?:human|(?:ro)?bot)",
            r"\bcaptcha\b",
            r"(?:verify|verifying|confirm|prove)(?:ing)? (?:that )?you(?:'re|’re|"
            r" are) (?:a )?(?:human|not)",
            r"^attention required",
            r"checking (?:your|if the) (?:browser|site connection|connection)",
            r"^security (?:check|verification|challenge)",
            r"^(?:human|bot|robot|browser) (?:check|verification|challenge)",
            r"pardon our interruption",
            r"ddos[- ]?(?:guard|protection)",
            r"^one more step",
            r"unusual (?:traffic|activity)",
            r"^client challenge",
            r"automated (?:access|queries|requests)",
            r"^radware\b",
            r"^please wait while we (?:check|verify)",
            r"performing security verification",
            r"vérification de sécurité",
            r"sicherheitsüberprüfung",
        ),
    ),
    (
        Standin(RATE_LIMITED, "says that too many requests were made"),
        either(
            r"too many requests",
            r"rate limit(?:ed| exceeded| reached)?$",
            r"^429\b",
        ),
    ),
    (
        Standin(BLOCKED, "asks for consent before it shows anything"),
        either(
            r"before you continue",
            r"^(?:cookie|privacy|consent) (?:consent|wall|choices|preferences|settings|notice)",
            r"(?:we|and our partners) (?:value|care about|respect) your privacy",
            r"^(?:we|this (?:web)?site) uses? cookies",
            r"your (?:privacy|consent|cookie) (?:choices|settings|preferences|matters)",
            r"\b(?:accept|manage|allow) (?:all )?cookies",
            r"your consent\b",
            r"cookies? (?:and|&) privacy",
            r"einwilligung",
            r"datenschutzeinstellungen",
            r"gérer (?:les |vos )?cookies",
            r"^terms of (?:use|service) (?:acceptance|agreement)",
            r"(?:verify|confirm) your age",
            r"are you (?:over|at least) \d\d",
            r"age (?:verification|gate)",
        ),
    ),
    (
        Standin(BLOCKED, "asks for a login"),
        either(
            r"^(?:please )?(?:sign|log)[ -]?(?:in|on)\b(?!-)",
            r"\b(?:sign|log)[ -]?in (?:to|required|page|\||-|–|·|—)",
            r"(?:please|must|need to|have to) (?:sign|log) ?[io]n",
            r"^login\b(?!-)",
            r"authentication required",
            r"authorization required",
            r"(?:session|login) (?:has )?(?:expired|timed out)",
            r"members? only",
            r"(?:registration|account) required",
            r"^(?:anmelden|anmeldung|connexion|se connecter|iniciar sesión|accedi)\b",
            r"single sign-on",
        ),
    ),
    (
        Standin(BLOCKED, "asks for payment"),
        either(
            r"subscribe to (?:continue|read|unlock|access)",
            r"subscribers? only",
            r"purchase (?:access|this article)",
            r"get access$",
            r"buy (?:this )?article",
            r"payment required",
            r"you(?:'ve|’ve| have) (?:reached|read|used) (?:your|all)",
            r"to continue reading",
        ),
    ),
    (
        Standin(BLOCKED, "refuses access"),
        either(
            r"access (?:to this (?:page|site|resource) )?(?:has been |is |was )?(?:denied|blocked|"
            r"restricted|forbidden)",
            r"^(?:error )?40[13]\b",
            r"^forbidden\b",
            r"403 forbidden",
            r"request (?:was |has been )?(?:blocked|denied|rejected|unsuccessful)",
            r"you have been blocked",
            r"not available in your (?:region|country|location|area)",
            r"unavailable in your",
            r"your (?:region|country) (?:is )?(?:not|un)",
            r"unavailable for legal reasons",
            r"permission (?:denied|to access)",
            r"not authori[sz]ed",
            r"unauthori[sz]ed",
        ),
    ),
    (
        Standin(SUSPECT, "is a domain for sale or parked, not the page cited"),
        either(
            r"\bdomain\b.{0,60}\b(?:for sale|parked|available|expired|auction|suspended|to buy)",
            r"(?:buy|purchase|acquire|own|get) (?:this|the) domain",
            r"^\S+\.[a-z]{2,15}\b.{0,20}\b(?:is|may be|could be)?\s*(?:for sale|parked|"
            r"available for purchase|expired)",
            r"parked (?:free|domain|page)",
            r"domain parking",
            r"this (?:domain|web ?site|site) (?:name )?(?:is|has|may be) (?:for sale|expired|"
            r"parked|been (?:suspended|parked))",
            r"hugedomains",
            r"\bsedo\b",
            r"afternic",
            r"\bdan\.com",
            r"diese domain",
            r"domain steht zum verkauf",
            r"ce domaine",
            r"à vendre",
        ),
    ),
    (
        Standin(SUSPECT, "says that the page is not there, although it answers 200"),
        either(
            r"\b(?:page|file|document|article|content|resource|item|url|site|address|product|"
            r"record|entry|post|topic|link|report|paper|we|it|object|dataset|path|route|"
            r"story)s?\b.{0,50}?(?:\bnot|n['’]t|\bno longer|\bcannot) (?:be )?(?:found|locate|"
            r"find|exist|available|here|accessible|seem)",
            r"^(?:http |error |status )*\W{0,3}(?:404\b|400\W*(?:error|bad request))",
            r"\b404\b.{0,25}(?:error|not found|missing|page)",
            r"(?:error|code|http)\W{0,3}404\b",
            r"^not found\b",
            r"\bnot found\W*$",
            r"does(?:n['’]t| not) exist",
            r"no longer (?:available|exists?|online|here|published|on this)",
            r"(?:page|file|document|article|content|product|report|item)\b.{0,25}(?:has been|was|"
            r"is|been) (?:removed|deleted|discontinued|retired|withdrawn from|taken down|missing|"
            r"unavailable|gone)",
            r"can(?:no|['’])t (?:find|seem to find|locate)",
            r"nothing (?:was |to see |to be )?(?:found|here)",
            r"no results? found",
            r"^(?:oops|whoops|uh[- ]?oh|sorry|hmm)\b",
            r"page (?:missing|unavailable|removed|deleted|moved)",
            r"missing page",
            r"dead link",
            r"broken link",
            r"^(?:410\b|gone$)",
            r"lost\?",
            r"looks like you(?:'re|’re| are) lost",
            r"(?:seite|dokument|datei)\b.{0,20}(?:nicht (?:gefunden|vorhanden|verfügbar)|"
            r"existiert nicht)",
            r"nicht gefunden\b",
            r"(?:page|document|fichier)\b.{0,20}(?:introuvable|non trouvée?|n['’]existe)",
            r"introuvable",
            r"página.{0,20}no (?:encontrada|existe|se (?:ha )?encontr)",
            r"no encontrad[ao]",
            r"página não (?:encontrada|existe)",
            r"não encontrad[ao]",
            r"pagina (?:non (?:trovata|esiste)|niet gevonden)",
            r"sidan (?:hittades|finns) inte",
            r"siden (?:ble )?ikke (?:funnet|fundet)",
            r"страница не (?:найдена|существует)",
            r"не найден[ао]?",
            r"(?:页面|頁面|网页).{0,6}(?:不存在|找不到|未找到)",
            r"找不到.{0,4}(?:页面|頁面|网页)",
            r"ページが?(?:は)?(?:見つかりません|存在しません)",
            r"찾을 수 없",
            r"nie (?:znaleziono|istnieje)",
            r"stránka (?:nebyla nalezena|neexistuje)",
            r"sayfa bulunamadı",
        ),
    ),
    (
        Standin(SUSPECT, "is a notice of maintenance, not the page cited"),
        either(
            r"(?:scheduled|under|planned|down for|routine|site|undergoing|ongoing|"
            r"system) .{0,20}maintenance",
            r"^maintenance\b",
            r"maintenance mode",
            r"\b(?:we(?:'ll|’ll| will)|will|be) (?:be )?(?:right )?back\b",
            r"^back (?:soon|shortly)",
            r"temporar(?:y|ily) (?:un|not |down|off|outage)",
            r"^(?:coming soon|under construction|(?:web)?site is (?:offline|down))",
            r"wartungsarbeiten",
            r"en maintenance",
            r"en mantenimiento",
        ),
    ),
    (
        Standin(SUSPECT, "shows an error of the server, not the page cited"),
        either(
            r"(?:database|server|application|internal|system|runtime|fatal|unexpected|connection|"
            r"gateway|script|php|sql|parse|configuration) (?:error|exception|fault)\b",
            r"^(?:error|exception|warning|notice|traceback)\b\W*(?:$|:|\d| [-–]|occurred|"
            r"establishing|page|processing|loading)",
            r"an? (?:unknown |unexpected |internal )?(?:error|problem) (?:has )?occurred",
            r"error establishing",
            r"something went wrong",
            r"bad gateway",
            r"gateway time-?out",
            r"service (?:temporarily )?unavailable",
            r"internal server",
            r"^(?:http |error )*50\d\b\W*(?:$|error|internal|bad|service|gateway|http)",
            r"(?:unable|could not|failed|cannot) (?:to )?(?:connect|process your|load|complete)",
            r"(?:account|site|website|hosting|service) (?:has been |is )?suspended",
            r"^exception$",
            r"stack trace",
            r"unhandled",
            r"uncaught",
        ),
    ),
    (
        Standin(SUSPECT, "is the bare start page of a web server, not the page cited"),
        either(
            r"^welcome to (?:nginx|openresty|caddy|apache|centos|tengine)",
            r"apache\d? .{0,20}(?:default|test) page",
            r"^it works!?$",
            r"^test page for",
            r"^iis ?(?:windows|\d)",
            r"^default (?:web ?site|page|parallels|plesk)",
            r"^(?:web server'?s default page|plesk|cpanel|placeholder|your new (?:web ?)?site)\b",
        ),
    ),
]
