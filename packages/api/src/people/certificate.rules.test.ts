import { expect, test } from 'vitest'
import { certificateLife, placeInChain, spanOf } from './certificate.rules.ts'

const span = { from: new Date('2030-01-01'), until: new Date('2031-01-01') }

test.each([
  ['2029-12-31T23:59:59Z', 'pending'],
  ['2030-01-01T00:00:00Z', 'valid'],
  ['2030-12-02T00:00:00Z', 'expiring'],
  ['2031-01-01T00:00:00Z', 'expired'],
])('at %s a certificate of 2030 is %s', (now, life) =>
  expect(certificateLife(span, new Date(now))).toBe(life),
)

test('a chain is valid while all its certificates are', () => {
  const one = { notBefore: new Date('2029-01-01'), notAfter: span.until }
  const other = { notBefore: span.from, notAfter: new Date('2040-01-01') }
  expect(spanOf([one, other])).toEqual(span)
})

test('places in a chain are named', () =>
  expect([0, 1, 8].map(placeInChain)).toEqual(['first certificate', 'second certificate', '9th certificate']))
