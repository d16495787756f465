import { GiB, MiB } from '@gantry/api/base/bytes.rules'
import { expect, test } from 'vitest'
import { imageOption } from './parts.ts'

test.each([
  [9 * MiB, 'Plan 9 / 4 / 9 MiB / Silo image'],
  [1.5 * GiB, 'Plan 9 / 4 / 1.5 GiB / Silo image'],
])('an image of %i bytes is offered with the details %j', (size, detail) =>
  expect(imageOption({ id: 'i', name: 'nine', os: 'Plan 9', version: '4', size }, 'Silo image')).toEqual({
    value: 'i',
    label: 'nine',
    detail,
  }),
)
