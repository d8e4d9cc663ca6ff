"""Pages that answer in place of what was cited: not found, for sale, sign in, prove that you are human, and so on.

Words count in the title or the first heading of a short page only: an article about dead links is full of them. A page
that bears the title of the source is the source, whatever its title says.
"""

import re
from collections.abc import Mapping

from sources.phrases import BLOCKED, SAYS, SUSPECT, Standin, either
from sources.text import Text

SHORT = 1_500  # characters of main text; an article has more, a notice has less
VERY_SHORT = 400

_NEEDS_SCRIPT = either(
    r"(?:enable|requires?|turn on|activate|need|without|disabled?|not support) .{0,20}javascript",
    r"javascript .{0,30}(?:is |to be |must be )?(?:required|disabled|enabled?|needed|not (?:enabled|available|supported))",
)
_CHALLENGE_HEADERS = {
    "cf-mitigated": "challenge", "x-amzn-waf-action": "", "x-datadome": "", "x-sucuri-block": "", "x-px-block": "",
    "x-captcha": "", "x-bot-challenge": "", "x-vercel-mitigated": "", "x-challenge": "", "x-anubis-action": "challenge",
}  # fmt: skip
_LOGIN_PATH = re.compile(
    r"/(?:log-?in|log-?on|sign-?in|sign-?on|sso|saml2?|oauth2?|authorize|cas|idp|wayf|shibboleth\.sso"
    r"|account/login|users?/sign_in|auth)(?:[/.?;]|$)",
    re.I,
)
_CONSENT_PLACE = re.compile(
    r"://(?:[^/?#]*\.)?consent\."
    r"|/(?:cookie-?)?(?:consent|cookie-?wall|privacy-?gate|age-?(?:gate|check|verification))(?:[/.?]|$)",
    re.I,
)
_CHALLENGE_PLACE = re.compile(
    r"/(?:captcha|challenge|cdn-cgi/(?:l/chk_|challenge)|_incapsula_|bot-?check|validate-?human)", re.I
)
_PAY_PLACE = re.compile(r"/(?:subscribe|paywall|purchase|checkout|metering)(?:[/.?]|$)", re.I)
_ERROR_PLACE = re.compile(
    r"(?:^|/)(?:errors?/)?(?:40[04]|410|error-?40[04]|error|errors?/?(?:page)?|not-?_?found|page-?_?not-?_?found"
    r"|page404|404page|missing|oops|unavailable|sorry)(?:\.[a-z]{2,5})?/?$",
    re.I,
)
_COMMON = frozenset("the a an of and in on for to with by at from is are de la le und der die das".split())


def challenge_announced(headers: Mapping[str, str]) -> str:
    """Return the header that announces a test for robots, "" where there is none."""
    for name, value in _CHALLENGE_HEADERS.items():
        if name in headers and value in headers[name].lower():
            return name
    return ""


def place(url: str) -> Standin | None:
    """What the address a redirect ended at gives away, by its path alone."""
    path = re.sub(r"^[a-z]+://[^/?#]*", "", url.split("#")[0], flags=re.I)
    if _CHALLENGE_PLACE.search(path):
        return Standin(BLOCKED, "led to a test for robots")
    if _CONSENT_PLACE.search(url.split("#")[0]):
        return Standin(BLOCKED, "led to a request for consent")
    if _LOGIN_PATH.search(path.split("?")[0]):
        return Standin(BLOCKED, "led to a login")
    if _PAY_PLACE.search(path.split("?")[0]):
        return Standin(BLOCKED, "led to an offer to subscribe")
    if _ERROR_PLACE.search(path.split("?")[0]):
        return Standin(SUSPECT, "led to an error page")
    return None


def standin(text: Text, source_title: str = "") -> Standin | None:
    """Return what the page is instead of the thing cited; None where it may well be the thing."""
    if text.kind != "html":
        return _plain_standin(text)
    main = text.words
    if len(main) > SHORT or bears(text, source_title):
        return None
    heading = text.heading or (main[:200] if len(main) < VERY_SHORT else "")
    # A first heading may be the site's own name in its banner; the notice is then the first one of the main text.
    second = next((block.words[:300] for block in text.main if block.level), "")
    spoken = [words for words in (text.title, heading, second) if words]
    if len(main) < VERY_SHORT and text.page.passwords == 0:
        # A page of a line or two is all heading.
        spoken.append(main[:200])
    for what, pattern in SAYS:
        if found := next((words for words in spoken if pattern.search(words)), None):
            return Standin(what.outcome, f"{what.reason} (“{_short(found)}”)")
    if text.page.passwords and len(main) < SHORT:
        return Standin(BLOCKED, "shows a form that asks for a password where the text should stand")
    return _shell(text)


def _plain_standin(text: Text) -> Standin | None:
    words = text.words
    if text.kind == "plain" and len(words) < 200:
        for what, pattern in SAYS:
            if pattern.search(words[:200]) and not words.lstrip().startswith(("{", "[", "#")):
                return Standin(what.outcome, f"{what.reason} (“{_short(words)}”)")
    return None


def _shell(text: Text) -> Standin | None:
    """A page whose text is drawn by scripts: a person sees it, a machine that runs none does not."""
    main, everything = text.words, " ".join(block.words for block in text.blocks)
    asks = _NEEDS_SCRIPT.search(f"{text.page.noscript} {main[:VERY_SHORT]}")
    if asks and len(main) < VERY_SHORT:
        return Standin(
            SUSPECT, "holds only a script that draws the page; its text cannot be read without running it"
        )
    if text.page.scripts and len(main) < 80 and len(everything) < VERY_SHORT:
        return Standin(
            SUSPECT,
            "holds a script and hardly any text; what a person sees cannot be read without running it",
        )
    if text.page.frames and len(everything) < 80:
        return Standin(SUSPECT, "holds only a frame with another page in it")
    return None


def bears(text: Text, source_title: str) -> bool:
    """Say whether title or first heading of the page bear the title of the source."""
    wanted = _significant(source_title)
    if len(wanted) < 2:
        return False
    return any(
        len(wanted & _significant(words)) >= max(2, 0.6 * len(wanted))
        for words in (text.title, text.heading)
        if words
    )


def _significant(words: str) -> set[str]:
    return {word for word in re.findall(r"\w+", words.casefold()[:600]) if len(word) > 1} - _COMMON


def _short(words: str) -> str:
    folded = " ".join(words.split())
    return folded if len(folded) <= 80 else folded[:79] + "…"
