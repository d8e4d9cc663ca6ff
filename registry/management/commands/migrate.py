from django.conf import settings
from django.core.management.commands import migrate
from django.db import DEFAULT_DB_ALIAS, connections

from registry import rules
from registry.actions.seed import seed
from sources.rules import grant, install


class Command(migrate.Command):
    help = "Migrates as the owner, installs the database rules and gives the web role its rights."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.set_defaults(database="owner")

    def handle(self, *args, **options):
        super().handle(*args, **options)
        partly = options["app_label"] or options["plan"] or options["check_unapplied"]
        if partly:
            return
        connection = connections[options["database"]]
        install(connection, rules.statements())
        seed(connection.alias)
        web_role = settings.DATABASES[DEFAULT_DB_ALIAS]["USER"]
        if web_role and web_role != connection.settings_dict["USER"]:
            grant(connection, web_role, rules.WRITTEN_BY_RULES)
        if options["verbosity"]:
            self.stdout.write("Installed the database rules.")
