// What the theme leaves out for people who use a keyboard or hear the page. Version selector and scrolled tables come late.
function name() {
  document.querySelector('.md-search[role=dialog]')?.setAttribute('aria-label', 'Search');
  for (const button of document.querySelectorAll('.md-version__current')) {
    button.setAttribute('aria-label', `${button.textContent}: select version`);
  }
  for (const scrolled of document.querySelectorAll('.md-typeset__scrollwrap:not([tabindex]), pre > code:not([tabindex])')) {
    scrolled.tabIndex = 0;
  }
}
name();
new MutationObserver(name).observe(document.body, { childList: true, subtree: true });
