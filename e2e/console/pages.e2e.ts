import { fileURLToPath } from 'node:url'
import { pagesOf } from '../../tools/lib/first-loads.mjs'
import { oppositeLooks } from '../support/checks.ts'
import { testScreens } from '../support/screen-tests.ts'
import { overlays } from '../gates/overlays/overlays.gen.ts'
import { redirects } from '../support/redirects.ts'
import { screens } from '../support/screens.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const sources = fileURLToPath(new URL('../../packages/console', import.meta.url))
/** These redirect depending on the server's answer (lookup.e2e.ts). */
const lookups = [
  '/lookup/disks/$disk',
  '/lookup/external-subnets/$externalSubnet',
  '/lookup/floating-ips/$floatingIp',
  '/lookup/i/$instance',
  '/lookup/images/$image',
  '/lookup/instances/$instance',
  '/lookup/snapshots/$snapshot',
  '/projects/$project/images/$image/edit',
]

/**
 * The route of a path; if several match, like `/silos/$silo` and `/silos/new`, the one with the fewest
 * parameters.
 */
function pageAt(path: string, urls: readonly string[]): string | undefined {
  const fits = (url: string) =>
    new RegExp(`^${url.replaceAll(/\/\{-\$\w+\}/g, '(/[^/]+)?').replaceAll(/\$\w+/g, '[^/]+')}$`).test(path)
  const parameters = (url: string) => url.split('$').length
  return urls.filter(fits).toSorted((one, other) => parameters(one) - parameters(other))[0]
}

test('every page of the console is listed as a screen, opens over one, or redirects', story, () => {
  const urls = pagesOf(sources).map(({ url }) => url)
  const visited = [
    ...Object.values(screens).flatMap((ofArea) => ofArea.map(([, path]) => path)),
    ...overlays.flatMap((ofArea) => Object.values(ofArea).flat()).map(([path]) => path),
    ...redirects.map(({ from }) => from),
  ]
  const shown = new Set(visited.map((path) => pageAt(path.replace(/\?.*/, ''), urls)))
  expect(urls.filter((url) => !shown.has(url)).toSorted()).toEqual(lookups)
})

// The gate `looks` has the other two.
testScreens('light and wide, dark and narrow', oppositeLooks)
