"""A visitor who uses only the keyboard."""

from pathlib import Path

from playwright.sync_api import Locator, Page
from playwright.sync_api import TimeoutError as NotInTime

from tests.browser import Visitor

# More stops than any page has, to detect going round in circles.
MOST_STOPS = 250
MOST_OPTIONS = 300
# A picker opens only shortly after the key press, which a slow machine may miss: press again.
MOST_PRESSES = 4
HAS_FOCUS = "at => at === document.activeElement"
GROUP_HAS_FOCUS = """at => at === document.activeElement || (at.type === 'radio'
    && at.name === document.activeElement.name && at.form === document.activeElement.form)"""


class ByKeyboard(Visitor):
    """Does with Tab, arrows, Space, Enter and letters what a `Visitor` does with a mouse."""

    def click(self, at: Locator) -> Page:
        self.reach(at)
        if at.first.get_attribute("download") is not None:
            self.page.keyboard.press("Enter")
            return self.page
        with self.page.expect_navigation():  # a key press does not wait for it, as a click does
            self.page.keyboard.press("Enter")
        return self.page

    def write(self, field: Locator, text: str) -> None:
        self.reach(field)
        if field.first.get_attribute("type") == "date":
            year, month, day = text.split("-")
            text = month + day + year  # the order of a browser in American English
        else:
            self.page.keyboard.press("Control+A")
            self.page.keyboard.press("Delete")
        self.page.keyboard.type(text)

    def tick(self, box: Locator, *, on: bool = True) -> None:
        """Space checks a checkbox; arrow keys choose in a radio group."""
        self.reach(box, by=GROUP_HAS_FOCUS)
        for _ in range(MOST_OPTIONS):
            if box.first.evaluate(HAS_FOCUS):
                break
            self.page.keyboard.press("ArrowDown")
        if box.first.is_checked() != on:
            self.page.keyboard.press("Space")
        assert box.first.is_checked() == on, f"{box} does not hear the keyboard."

    def choose(self, field: Locator, value: str) -> None:
        """A letter jumps close to the option, and arrow keys do the rest."""
        self.reach(field)
        label = field.first.locator(f"option[value='{value}']").text_content() or ""
        self.page.keyboard.press(label[0])
        for _ in range(MOST_OPTIONS):
            if field.first.input_value() == value:
                return
            self.page.keyboard.press("ArrowDown")
        raise AssertionError(f"No key leads to {label!r}.")

    def attach(self, field: Locator, file: Path) -> None:
        self.reach(field)
        for _ in range(MOST_PRESSES):
            try:
                with self.page.expect_file_chooser(timeout=10_000) as opened:
                    self.page.keyboard.press("Space")
            except NotInTime:
                continue
            opened.value.set_files(file)
            return
        raise AssertionError(f"No chooser opens on {self.page.url}.")

    def reach(self, target: Locator, *, by: str = HAS_FOCUS) -> None:
        """Press Tab until the target has the focus."""
        handle = target.first.element_handle()
        for _ in range(MOST_STOPS):
            if handle.evaluate(by):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"The keyboard does not reach {target} on {self.page.url}.")
