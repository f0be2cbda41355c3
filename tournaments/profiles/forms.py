"""Form of whoever is shown what of one's page."""

from django import forms

from players.models import ProfileAudience
from players.selectors import PARTS, Readers


class AudienceForm(forms.ModelForm):
    """Choice of readers for each part, and whether search engines may keep the page."""

    class Meta:
        model = ProfileAudience
        fields = [*PARTS, "indexed"]

    def list_parts(self) -> list[forms.BoundField]:
        """Return the fields of the parts, in their order."""
        return [self[name] for name in PARTS]

    def read_choice(self) -> tuple[dict[str, str], bool]:
        """Return the readers of each part, and whether search engines may keep the page."""
        return {part: str(Readers(self.cleaned_data[part])) for part in PARTS}, bool(self.cleaned_data["indexed"])
