/** Elements that Tab reaches. */
export const FOCUSABLE = ':is(a[href], button, input, select, textarea, [tabindex="0"]):not(:disabled)'

/**
 * A ref for an element that leaves the page while it may have the focus, as a button does that clears its own list:
 * another element then gets the focus. Call it outside of components, because React detaches a ref that changes.
 */
export const passFocusTo =
  (heirOf: (leaving: HTMLElement) => HTMLElement | null | undefined) =>
  (element: HTMLElement | null) =>
  () => {
    const active = document.activeElement
    if (!element?.contains(active)) return
    const heir = heirOf(element)
    // On a phone, a field that gets the focus opens the keyboard, for which the user did not ask.
    const isUnasked = heir?.matches(typed) && !active?.matches(':focus-visible')
    ;(isUnasked ? surroundings(element) : heir)?.focus()
  }

const typed = 'input:not([type=checkbox]), textarea'

/** The heir if no nearer element remains: the dialog around an element, or else the page. */
export const surroundings = (element: HTMLElement) =>
  element.closest('dialog') ?? document.querySelector('main')

/** A ref that moves the focus to an element as it appears. */
export const takeFocus = (element: HTMLElement | null) => element?.focus()
