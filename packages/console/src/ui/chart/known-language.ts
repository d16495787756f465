/*
 * The drawing library formats numbers by the browser's language while it loads. WebKit on a system with the locale
 * `C.UTF-8` names the language `C`, which is no language tag, and the library would throw. Import this before it.
 */
makeLanguageKnown()

export function makeLanguageKnown(): void {
  try {
    Intl.getCanonicalLocales(navigator.language)
  } catch {
    const { locale } = new Intl.NumberFormat().resolvedOptions()
    Object.defineProperty(navigator, 'language', { value: locale, configurable: true })
  }
}
