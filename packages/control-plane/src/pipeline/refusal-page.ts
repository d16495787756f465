import type { Route } from './router.ts'

/**
 * The page that shows a refusal to a browser that navigated here, where JSON would be useless. Only the
 * status is passed on, because anyone can craft the rest of a URL.
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
