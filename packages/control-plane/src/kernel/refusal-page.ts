import type { Route } from './router.ts'

/**
 * Where a browser that came by itself reads of its refusal: a person can do nothing with JSON. Only the status goes
 * along, because whatever stands in an address can be put there by anybody.
 */
export function refusalPage(
  { op, params }: Route,
  request: Request | undefined,
  status: number,
): string | undefined {
  const isPageWanted = request?.headers.get('accept')?.includes('text/html')
  if (op.refusedAt === undefined || !isPageWanted) return undefined
  const path = op.refusedAt.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  return `${path}?refused=${status}`
}
