import { expect, test } from 'vitest'
import { areaOf } from './area.ts'

test('the system area is /system and all paths below it', () => {
  expect(areaOf('/system')).toBe('system')
  expect(areaOf('/system/silos/demo')).toBe('system')
})

test('a path that only starts with the same letters belongs to the silo', () => {
  expect(areaOf('/systems')).toBe('silo')
  expect(areaOf('/projects/system')).toBe('silo')
})
