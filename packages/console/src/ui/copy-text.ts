/** The clipboard API exists only on secure origins; a console in a closed network is often served without TLS. */
export async function copyText(text: string) {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    // Inside the open dialog, because everything outside it is inert and cannot be selected.
    ;(document.activeElement?.closest('dialog') ?? document.body).append(area)
    area.select()
    document.execCommand('copy')
    area.remove()
  }
}
