import { expect, test } from 'vitest'
import { protectedBy } from '@gantry/api/history/protection.rules'
import { pageOfRefusal } from './refusal-pages.ts'

test.each([
  [{ message: 'save it as a plan', details: { four_eyes: 'deletions' } }, 'history#four-eyes'],
  [{ message: 'a tag lacks', details: { tag_keys: ['env'] } }, 'tags#in-the-console'],
  [{ message: `disk data is ${protectedBy('mara', 'in use')}` }, 'history#protecting-objects'],
  [{ message: 'Insufficient capacity: CPU Limit Exceeded: Not enough CPUs.' }, 'places#silos'],
  [{ message: 'Action not authorized', errorCode: 'Forbidden' }, 'access#roles'],
  [{ message: 'boot disk cannot be detached', errorCode: 'Conflict' }, 'compute#the-boot-disk'],
  [{ message: 'cannot attach disk: instance is not fully stopped' }, 'storage#disks'],
  [{ message: 'instance must finish stopping before it can be started' }, 'compute#states'],
  [{ message: 'the plan is too large to be saved', errorCode: 'InvalidRequest' }, 'history#saved-plans'],
  [{ message: 'already exists: disk "data"', errorCode: 'ObjectAlreadyExists' }, undefined],
  [{ message: 'Could not reach the server' }, undefined],
  [{ message: 'not found', errorCode: 'ObjectNotFound' }, undefined],
])('%j is explained by the page %s', (refused, page) => expect(pageOfRefusal(refused)?.page).toBe(page))
