"""Findings of `fathom report` as objects."""

from .summary import summary_of_finding

__all__ = ["Finding"]


class Finding:
    """One finding: `kind`, `title`, `text`, `advice`, `severity` and `gain` (seconds, or None), `minor`, `wrong`, `files`, `ranks`, `evidence` (names of
    calls). `facts` is all that `fathom report --json` says."""

    def __init__(self, trace, facts):
        self._trace, self.facts = trace, facts
        self.kind, self.title, self.text, self.advice = facts["kind"], facts["title"], facts["text"], facts["advice"]
        self.severity, self.gain = facts["severity_s"], facts["gain_s"]
        self.minor, self.wrong = facts["minor"], facts["wrong"]
        self.files, self.ranks, self.evidence = facts["files"], facts["ranks"], facts["evidence"]

    def calls(self):
        """The calls that are its evidence, with their parameters: a list of dicts."""
        return [self._trace.call(name) for name in self.evidence]

    def __repr__(self):
        return f"<finding {self.kind}: {self.title}>"

    def _repr_html_(self):
        return summary_of_finding(self)
