from django.db import models


class ExactDecimalField(models.DecimalField):
    """A PostgreSQL `numeric` without fixed scale: 3.350 stays 3.350, for its zero is precision the source stated."""

    def __init__(self, *args, **kwargs):
        # Django wants both numbers for forms; the column has neither limit.
        kwargs.update(max_digits=40, decimal_places=20)
        super().__init__(*args, **kwargs)

    def deconstruct(self):
        name, path, args, kwargs = super().deconstruct()
        del kwargs["max_digits"], kwargs["decimal_places"]
        return name, path, args, kwargs

    def db_type(self, connection):
        return "numeric"

    def get_db_prep_value(self, value, connection, prepared=False):
        # The backend would round to decimal_places; psycopg passes a Decimal on as it is.
        return value if value is None or hasattr(value, "resolve_expression") else self.to_python(value)
