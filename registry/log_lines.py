"""How the log looks: a line an event, and a traceback only where something of ours failed."""

import logging
from copy import copy

SERVER_ERROR = 500


class LineFormatter(logging.Formatter):
    """Formats what a person was refused (403, 400 …) as one line with the reason: there is nothing to mend."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as text."""
        status = getattr(record, "status_code", SERVER_ERROR)
        if record.exc_info and status < SERVER_ERROR:
            reason = " ".join(str(record.exc_info[1]).split())
            record = copy(record)
            message = " ".join(record.getMessage().split())
            record.msg = f"{message} ({reason})" if reason and reason not in message else message
            record.args, record.exc_info, record.exc_text = (), None, None
        return super().format(record)
