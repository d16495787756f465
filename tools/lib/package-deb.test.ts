import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from './builds.mjs'
import { debianPackages } from './package-deb.mjs'

/** The packages that the sources of the server tell operators to install. */
function named(): string[] {
  const folder = path.join(root, 'packages/server/src')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  return files.flatMap((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8')
    return [...text.matchAll(/\bdebian: '([a-z0-9+.-]+)'|\w+Package = '([a-z0-9+.-]+)'/g)].map(
      ([, one, other]) => one ?? other ?? '',
    )
  })
}

test('the package of Debian names every package that the server asks for', () => {
  const { needed, used, suggested } = debianPackages
  const known = new Set([...needed, ...used, ...suggested].map((one) => one.split(' ')[0]))
  const wanted = [...new Set(named())]
  expect(wanted).toContain('swtpm')
  expect(wanted.filter((name) => !known.has(name))).toEqual([])
})
