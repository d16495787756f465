import { expect, test } from 'vitest'
import { routesTo } from './routes-to.ts'

test("only routes whose target is the gateway's name lead to it", () => {
  const out = { target: { type: 'internet_gateway', value: 'default' } } as const
  const other = { target: { type: 'internet_gateway', value: 'second' } } as const
  const namesake = { target: { type: 'instance', value: 'default' } } as const
  const drop = { target: { type: 'drop' } } as const
  expect(routesTo({ name: 'default' }, [other, out, namesake, drop])).toEqual([out])
})
