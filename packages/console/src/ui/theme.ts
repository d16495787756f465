const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const KEY = 'gantry-theme'
let current = read()

export const getTheme = () => current

export function setTheme(theme: Theme) {
  current = theme
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // Storage can be forbidden; the choice then lasts until the page closes.
  }
  applyTheme()
}

/** Without the attribute, the system's setting applies. `before-paint.js` does the same before the first paint. */
function applyTheme() {
  const root = document.documentElement
  if (current === 'system') root.removeAttribute('data-theme')
  else root.dataset.theme = current
}

function read(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(KEY)) ?? 'system'
  } catch {
    return 'system'
  }
}
