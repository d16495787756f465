import type { AnyRoute } from '@tanstack/react-router'
import { expect, test, vi } from 'vitest'

/** Where each route stands, by the object that it is. */
function places(route: AnyRoute, under = ''): [AnyRoute, string][] {
  const { id, path } = route.options as { id?: string; path?: string }
  const place = `${under} > ${id ?? ''} ${path ?? ''}`
  const children = Object.values((route.children ?? {}) as Record<string, AnyRoute>)
  return [[route, place], ...children.flatMap((child) => places(child, place))]
}

test('the first routes stand where the tree of all has them', async () => {
  vi.stubGlobal('navigator', { userAgent: '' })
  const { firstTree } = await import('./first-routes.ts')
  const first = places(firstTree(async () => undefined)).filter(([, place]) => !place.endsWith('$'))
  const { routeTree } = await import('../routeTree.gen.ts')
  const all = new Map(places(routeTree))
  expect(first).toHaveLength(38)
  expect(first.map(([, place]) => place)).toEqual(first.map(([route]) => all.get(route)))
})
