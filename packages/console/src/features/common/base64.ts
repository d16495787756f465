/** Standard base64. Works in chunks, because a call has an argument limit. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  const step = 0x8000
  for (let at = 0; at < bytes.length; at += step)
    text += String.fromCharCode(...bytes.subarray(at, at + step))
  return btoa(text)
}
