import { expect, test } from 'vitest'
import { areaOf } from './area.ts'

test('the system area is /system and what lies below it', () => {
  expect(areaOf('/system')).toBe('system')
  expect(areaOf('/system/silos/demo')).toBe('system')
})

test('a path that only begins with the same letters belongs to the silo', () => {
  expect(areaOf('/systems')).toBe('silo')
  expect(areaOf('/projects/system')).toBe('silo')
})
