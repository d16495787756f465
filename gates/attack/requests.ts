import http from 'node:http'

export async function okay<Answer>(response: Response): Promise<Answer> {
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as Answer
}

/** Status and message of a refusal. */
export async function refusalOf(response: Response): Promise<[status: number, message: string]> {
  const body = (await response.json().catch(() => ({}))) as { message?: string }
  return [response.status, body.message ?? '']
}

/** A request with arbitrary headers, including Host, which `fetch` does not allow. */
export function rawly(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string },
): Promise<{ status: number; text: string; headers: http.IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, agent: false }, (response) => {
      let text = ''
      response.on('data', (piece: Buffer) => (text += piece.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** Repeats a request `count` times, with limited concurrency. */
export async function flood<Answer>(
  count: number,
  concurrency: number,
  send: (index: number) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  let next = 0
  const one = async (): Promise<void> => {
    while (next < count) answers.push(await send(next++))
  }
  await Promise.all(Array.from({ length: concurrency }, one))
  return answers
}

/** Counts each value. */
export function tally(values: readonly (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
