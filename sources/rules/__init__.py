"""Installs the database rules: the .sql files of the rules/ folders, and what the web role may do.

Rules are code, not history: the files are the truth and `manage.py migrate` installs them anew each time, as the
owner, in one transaction. `differences` compares what the database holds with what the files say.
"""

import re
from pathlib import Path

from django.db import transaction

FOLDER = Path(__file__).parent

# Rows of these tables are written by the database's own triggers; the web role reads them.
WRITTEN_BY_RULES = ["sources_referencechange"]

# Web role: works on rows, never on tables. A temporary table would let it run our triggers on rows of its making,
# so it has none, and may not name the functions that run as the owner.
_GRANTS = """
GRANT USAGE ON SCHEMA public TO {role};
REVOKE CREATE ON SCHEMA public FROM PUBLIC, {role};
REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC, {role};
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role};
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role};
REVOKE INSERT, UPDATE, DELETE ON {read_only} FROM {role};
"""
# Triggers on our tables, and functions that no extension brought.
_OUR_TRIGGERS = "FROM pg_trigger WHERE NOT tgisinternal"
_OUR_FUNCTIONS = (
    "FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'"
    " AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')"
)


def install(connection, statements):
    """Replaces every rule in the database behind `connection` (the owner's) by `statements`."""
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgname, tgrelid::regclass::text FROM pg_trigger WHERE tgname LIKE 'rule\\_%' AND NOT tgisinternal"
        )
        for trigger, table in cursor.fetchall():
            cursor.execute(f"DROP TRIGGER {trigger} ON {table}")
        for statement in statements:
            cursor.execute(statement)


def statements():
    """The rules of this app, in the order of their file names."""
    return [path.read_text() for path in sorted(FOLDER.glob("*.sql"))]


def grant(connection, role, read_only):
    """Gives the web role its rights on the tables; on the `read_only` ones it may only SELECT."""
    quoted = connection.ops.quote_name
    with connection.cursor() as cursor:
        names = {"role": quoted(role), "database": quoted(connection.settings_dict["NAME"])}
        cursor.execute(_GRANTS.format(**names, read_only=", ".join(map(quoted, read_only))))
        cursor.execute(f"SELECT oid::regprocedure::text {_OUR_FUNCTIONS} AND prosecdef")
        for (function,) in cursor.fetchall():
            cursor.execute(f"REVOKE EXECUTE ON FUNCTION {function} FROM PUBLIC, {names['role']}")


def installed(connection):
    """Name → definition of every rule the database holds, and whether it is switched on."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgname || ' on ' || tgrelid::regclass, pg_get_triggerdef(oid) || ' enabled:' || tgenabled::text"
            f" {_OUR_TRIGGERS}"
            " UNION ALL"
            f" SELECT 'function ' || oid::regprocedure, pg_get_functiondef(oid) {_OUR_FUNCTIONS}"
        )
        return dict(cursor.fetchall())


def differences(connection, statements):
    """Names of rules that are missing, altered, switched off or strange, seen by installing anew and rolling back."""
    before = installed(connection)
    with transaction.atomic(using=connection.alias):
        _remove_all(connection)
        install(connection, statements)
        wanted = installed(connection)
        transaction.set_rollback(True, using=connection.alias)
    return sorted(name for name in before.keys() | wanted.keys() if before.get(name) != wanted.get(name))


def missing_constraints(connection, names):
    """Those of the names that no constraint or unique index bears, or one that is not enforced for every row."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname FROM pg_constraint WHERE convalidated"
            " UNION SELECT indexrelid::regclass::text FROM pg_index WHERE indisunique AND indisvalid"
        )
        held = {name for (name,) in cursor.fetchall()}
    return sorted(set(names) - held)


def _remove_all(connection):
    """Takes every trigger and function away, so that strangers are missing from what is installed afterwards."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT tgname, tgrelid::regclass::text {_OUR_TRIGGERS}")
        for trigger, table in cursor.fetchall():
            cursor.execute(f"DROP TRIGGER {connection.ops.quote_name(trigger)} ON {table}")
        cursor.execute(f"SELECT oid::regprocedure::text {_OUR_FUNCTIONS}")
        for (function,) in cursor.fetchall():
            cursor.execute(f"DROP FUNCTION {function} CASCADE")


def rule_names(statements):
    """The names under which the rules refuse, as `errors.py` knows them."""
    return sorted({name for text in statements for name in re.findall(r"refuse\('(\w+)'", text)})
