import { expect, test } from 'vitest'
import { chunkCircles } from './chunk-circles.mjs'

const chunk = (name: string, ...imports: string[]) => [name, { file: `${name}.js`, imports }] as const

test('a circle of chunks is found with all that are in it, once', () => {
  const chunks = [chunk('page', 'shell'), chunk('shell', 'areas', 'ui'), chunk('areas', 'shell'), chunk('ui')]
  expect(chunkCircles(Object.fromEntries(chunks))).toEqual(['shell.js > areas.js > shell.js'])
})

test('chunks that share another one are no circle', () => {
  const chunks = [
    chunk('page', 'shell', 'ui'),
    chunk('shell', 'ui'),
    chunk('ui'),
    ['main', { file: 'main.js' }] as const,
  ]
  expect(chunkCircles(Object.fromEntries(chunks))).toEqual([])
})
