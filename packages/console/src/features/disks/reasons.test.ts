import { expect, test } from 'vitest'
import { attachable } from './reasons.ts'

const disk = (name: string, state: 'creating' | 'detached' | 'faulted' | 'maintenance') => ({
  name,
  state: { state },
})

test('disks that are creating or detached can be attached, unless their name is spoken for', () => {
  const disks = [
    disk('new', 'creating'),
    disk('old', 'detached'),
    disk('broken', 'faulted'),
    disk('copied', 'maintenance'),
    disk('queued', 'detached'),
  ]
  expect(attachable(disks, ['queued']).map(({ name }) => name)).toEqual(['new', 'old'])
})
