import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { snapshotSaved } from './snapshot-saved.ts'

test.each([
  ['ready', 'Snapshot <strong>monday</strong> created'],
  ['creating', 'Snapshot <strong>monday</strong> is being created'],
] as const)('a snapshot that is %s', (state, message) =>
  expect(renderToStaticMarkup(snapshotSaved({ name: 'monday', state }))).toBe(message),
)
