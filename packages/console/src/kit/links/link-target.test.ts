import { expect, test } from 'vitest'
import { hrefOf } from './link-target.ts'

test('replaces every parameter of a path by its value', () => {
  expect(hrefOf({ to: '/projects' })).toBe('/projects')
  expect(hrefOf({ to: '/projects/$project/vpcs/$vpc/map', params: { project: 'web', vpc: 'main' } })).toBe(
    '/projects/web/vpcs/main/map',
  )
})

test('escapes characters with a meaning in URLs', () => {
  expect(hrefOf({ to: '/images/$image', params: { image: 'a/b?c' } })).toBe('/images/a%2Fb%3Fc')
})

test('omits an optional parameter without a value', () => {
  const rule = '/projects/$project/vpcs/$vpc/firewall-rules-new/{-$rule}'
  const params = { project: 'web', vpc: 'main' }
  expect(hrefOf({ to: rule, params })).toBe('/projects/web/vpcs/main/firewall-rules-new')
  expect(hrefOf({ to: rule, params: { ...params, rule: 'ssh' } })).toBe(
    '/projects/web/vpcs/main/firewall-rules-new/ssh',
  )
})

test('appends the search parameters to the path', () => {
  expect(hrefOf({ to: '/images', search: { page: 'a b' } })).toBe('/images?page=a+b')
})
