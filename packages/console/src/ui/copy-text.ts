/**
 * Returns whether it succeeded. The clipboard API exists only on secure origins, and a console in a private network
 * is often served without TLS.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const focused = document.activeElement
    const area = document.createElement('textarea')
    area.value = text
    // Inside the open dialog, because everything outside it is inert and cannot be selected.
    ;(focused?.closest('dialog') ?? document.body).append(area)
    area.select()
    const isCopied = document.execCommand('copy')
    area.remove()
    if (focused instanceof HTMLElement) focused.focus()
    return isCopied
  }
}
