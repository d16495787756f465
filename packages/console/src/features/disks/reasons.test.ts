import { expect, test } from 'vitest'
import { attachable } from './reasons.ts'

const disk = (name: string, state: 'creating' | 'detached' | 'faulted' | 'maintenance') => ({
  name,
  state: { state },
})

test('disks in creating or detached state can be attached, unless their name is in use', () => {
  const disks = [
    disk('new', 'creating'),
    disk('old', 'detached'),
    disk('broken', 'faulted'),
    disk('copied', 'maintenance'),
    disk('queued', 'detached'),
  ]
  expect(attachable(disks, ['queued']).map(({ name }) => name)).toEqual(['new', 'old'])
})
