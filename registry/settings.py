"""Settings, read from the environment only (`make serve` fills it; production sets it).

A value that must not have a default stops the start with a sentence naming the variable and the remedy.
"""

import hashlib
from pathlib import Path
from urllib.parse import unquote, urlsplit

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()


def required(name: str, remedy: str) -> str:
    """The value of an environment variable; absent or blank stops the start with what to do about it."""
    value = str(env.str(name, default="")).strip()
    if not value:
        raise ImproperlyConfigured(f"{name} is not set. {remedy}")
    return value


def content_hash(*folders: Path) -> str:
    """Twelve hex digits that change when any code, template or static file changes; clocks do not count."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(str(path.relative_to(BASE_DIR)).encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


# Where and who we are ------------------------------------------------------------------------------

REGISTRY_HOME = Path(env.str("REGISTRY_HOME", default=str(BASE_DIR / ".local"))).absolute()
PORT = env.int("PORT", default=8000)
SITE_NAME = env.str("SITE_NAME", default="Evidence Registry")
SITE_URL = env.str("SITE_URL", default=f"http://localhost:{PORT}").rstrip("/")
# What the operator says about its own testing; shown while not empty, so it must stay true: change it or blank it.
SITE_STATEMENT = env.str(
    "SITE_STATEMENT",
    default="The operator of this registry has not run the products it cites. Every figure is what its source states.",
)
SITE_STATEMENT_DATE = env.str("SITE_STATEMENT_DATE", default="2026-11-30")
SOCIAL_LINKS: list[tuple[str, str]] = [  # "Label=https://…,Label=https://…"; shown last in the footer
    (label, address)
    for label, _, address in (pair.partition("=") for pair in env.list("SOCIAL_LINKS", default=[]))
]
# Part of every ETag: a new template must not be answered with 304.
BUILD = env.str("BUILD", default="") or content_hash(
    *(BASE_DIR / name for name in ("registry", "sources", "templates", "static"))
)

# Security ------------------------------------------------------------------------------------------

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = required(
    "SECRET_KEY",
    "Set it to a random string of at least 50 characters, or run `make serve`, which keeps one in REGISTRY_HOME.",
)
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
ALLOWED_HOSTS = [
    host.strip()
    for host in required(
        "ALLOWED_HOSTS",
        "Set it to the host names this site answers to, separated by commas: registry.example.org",
    ).split(",")
]
HTTPS = SITE_URL.startswith("https://")
CSRF_TRUSTED_ORIGINS = [f"https://{urlsplit(SITE_URL).netloc}"] if HTTPS else []

SESSION_COOKIE_AGE = 12 * 3600  # an editor logs in once a working day
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HTTPS
SESSION_COOKIE_NAME = "__Host-session" if HTTPS else "session"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_NAME = "__Host-csrf" if HTTPS else "csrf"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if HTTPS:
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("HSTS_INCLUDE_SUBDOMAINS", default=False)
# Subdomains and preloading are promises for a whole domain: the operator's to make, not ours to warn about.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
# Only for a proxy that sets X-Forwarded-Proto itself, dropping what a client sent, and adds its peer's address as the
# last of X-Forwarded-For. Behind any other proxy all clients are one to the login, which counts tries by address.
BEHIND_TLS_PROXY = env.bool("BEHIND_TLS_PROXY", default=False)
if BEHIND_TLS_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "img-src": [SELF, "data:"],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}

PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"

# A form of a whole data sheet (60 rows of a dozen fields) fits; a flood of fields does not.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5000
DATA_UPLOAD_MAX_NUMBER_FILES = 10
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 1024 * 1024  # bytes; the limit of a bundle
FILE_UPLOAD_HANDLERS = [
    "registry.uploads.OneDoor",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

# Parts ---------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "sources",
    "registry",
    "csp",
    "registry.admin_config.EditorsAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "registry.middleware.TextOnly",
    "registry.middleware.NoTrailingSlash",
    "registry.middleware.Representation",
    "registry.views.errors.ParameterErrors",
    "registry.views.errors.SlowQueries",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "registry.urls"
WSGI_APPLICATION = "registry.wsgi.application"
APPEND_SLASH = False  # addresses carry no trailing slash; our own middleware redirects the other way
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# Words, numbers and days print the same for everyone: nothing is localised.
LANGUAGE_CODE = "en"
USE_I18N = False
USE_THOUSAND_SEPARATOR = False
USE_TZ = True
TIME_ZONE = "UTC"
DATE_FORMAT = "Y-m-d"
DATETIME_FORMAT = "Y-m-d H:i"
FORMAT_MODULE_PATH = ["registry.formats"]

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(REGISTRY_HOME / "static")))
STATICFILES_DIRS = [BASE_DIR / "static"] if (BASE_DIR / "static").is_dir() else []
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# Database: the web and worker role, and the owner that migrates ------------------------------------

LOCK_TIMEOUT = 5000  # ms: a stuck lock becomes an error a person can read
STATEMENT_TIMEOUT = env.int(
    "DATABASE_STATEMENT_TIMEOUT", default=0
)  # ms; wsgi.py sets 3000, commands have none


def database(address: str, idle: int = 0) -> dict[str, object]:
    """Connection settings of one role, from an address such as postgres://user:password@host:5432/name.

    A Unix socket's folder stands in the host's place, as libpq has it: postgres://user:password@%2Frun%2Fpg/name.
    A transaction that does nothing for `idle` ms is ended by the server (0: never).
    """
    values = f"-c lock_timeout={LOCK_TIMEOUT} -c statement_timeout={STATEMENT_TIMEOUT}"
    if idle:
        values += f" -c idle_in_transaction_session_timeout={idle}"
    parsed = environ.Env.db_url_config(address)
    parsed["HOST"] = unquote(parsed["HOST"])
    parsed["OPTIONS"] = {**parsed.get("OPTIONS", {}), "options": values}
    return {**parsed, "CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True}


DATABASE_URL = required(
    "DATABASE_URL",
    "Set it to postgres://user:password@host:5432/name, or run `make serve`, which starts a server of its own.",
)
DATABASE_OWNER_URL = env.str("DATABASE_OWNER_URL", default="") or DATABASE_URL
# A request that hangs within a transaction would hold its locks; a command may think for as long as it needs.
IDLE_TIMEOUT = 30_000 if STATEMENT_TIMEOUT else 0  # ms
DATABASES = {"default": database(DATABASE_URL, IDLE_TIMEOUT), "owner": database(DATABASE_OWNER_URL)}

CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

# Celery: the clockwork only. Work that is due stands in the database (a lost message loses nothing).

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="")
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_TIME_LIMIT = 90  # s
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 500
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_BROKER_CONNECTION_TIMEOUT = 1  # s
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# Longer than the worker's one-second wait for a message, short enough that a hung broker is noticed.
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_timeout": 5, "socket_connect_timeout": 1}
CELERY_TIMEZONE = "UTC"

# Looks at cited links: the public web, politely, unless the operator says otherwise -------------------

LINKCHECK_ALLOWED_NETWORKS = env.list(
    "LINKCHECK_ALLOWED_NETWORKS", default=[]
)  # 192.0.2.0/24, beside the public web
LINKCHECK_ALLOWED_PORTS = env.list("LINKCHECK_ALLOWED_PORTS", default=["8080", "8443"])  # beside 80 and 443
LINKCHECK_MIN_INTERVAL = env.float(
    "LINKCHECK_MIN_INTERVAL", default=1.0
)  # s between two requests to one host
LINKCHECK_DEADLINE = env.float(
    "LINKCHECK_DEADLINE", default=20.0
)  # s for a whole look; below the lease of a check
LINKCHECK_RUN = env.float("LINKCHECK_RUN", default=50.0)  # s in which one run begins new looks
LINKCHECK_THREADS = env.int(
    "LINKCHECK_THREADS", default=32
)  # looks at once in one process, each at another host
LINKCHECK_ABOUT = env.str("LINKCHECK_ABOUT", default=f"{SITE_URL}/about/link-checker")  # our agent names it
# Certificate authorities of the operator's own network, beside the system's.
LINKCHECK_AUTHORITIES = env.str("LINKCHECK_AUTHORITIES", default=env.str("REQUESTS_CA_BUNDLE", default=""))

# Log: one line an event, to standard error; request lines are the web server's business ------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "registry.log_lines.LineFormatter",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", default="WARNING")},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
    },
}
