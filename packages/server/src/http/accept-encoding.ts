/** The encodings that the build prepares, the smaller one first. */
const prepared = ['br', 'gzip'] as const
export type Encoding = (typeof prepared)[number]

/** The prepared encodings that a request accepts, best first. On equal weight, our order decides. */
export function preferredEncodings(header: string | null): Encoding[] {
  const weights = new Map<string, number>()
  for (const part of (header ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const weightOf = (encoding: Encoding): number => weights.get(encoding) ?? weights.get('*') ?? 0
  return prepared.filter((encoding) => weightOf(encoding) > 0).sort((a, b) => weightOf(b) - weightOf(a))
}
