// @chunk list-export: what lists, the activity and the audit log save and copy, once a user asks for it.
import { copyText } from './copy-text.ts'

/**
 * Copies a text that is still to come, and returns whether it succeeded. It is announced at once, because a browser
 * forgets the press that allows copying after a few seconds.
 */
export async function copyLater(text: Promise<string>): Promise<boolean> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text.then(asBlob) })])
    return true
  } catch {
    return copyText(await text)
  }
}

const asBlob = (text: string): Blob => new Blob([text], { type: 'text/plain' })
