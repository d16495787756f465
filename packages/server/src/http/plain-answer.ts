export const unstored = { 'cache-control': 'no-store' }

/** A plain-text refusal, sent before the request reaches the API or the console. */
export const plainAnswer = (status: number, text: string): Response =>
  new Response(text, { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...unstored } })
