export const unstored = { 'cache-control': 'no-store' }

/** A sentence for whoever asked, of what is refused before the API or the console see it. */
export const plainAnswer = (status: number, text: string): Response =>
  new Response(text, { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...unstored } })
