// @chunk form-parts: of forms and of questions, neither of which shall load the other.
/**
 * Runs `move` when no pointer is pressed. Whatever leaving a field adds to the page would otherwise move the button
 * that was pressed for it, and the release would miss it.
 */
export function afterPress(move: () => void): void {
  if (!document.querySelector(':active')) return move()
  const released = new AbortController()
  const run = () => {
    released.abort()
    // After the click, which follows the release.
    setTimeout(move)
  }
  for (const end of ['pointerup', 'pointercancel'])
    window.addEventListener(end, run, { signal: released.signal, capture: true })
}
