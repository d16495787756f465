import type { Rolldown } from 'vite'

type Graph = Rolldown.ChunkingContext

/** The entry module of each application, and the page that opens one of them. */
interface Applications {
  page: string
  console: string
  signIn: string
}

/** Includes the bundler's runtime helpers, which every chunk needs. */
const react = /node_modules\/(react|react-dom|scheduler)\/|^\0rolldown\/runtime/
/** Rarely used, and mostly large: each keeps the chunk that its `import()` creates. */
const heavy =
  /@noble|@xterm|uplot|@codemirror|@lezer|style-mod|w3c-keyname|crelt|find-cluster-break|kit\/list\/csv\.|features\/metrics\/(?!parts)|ui\/chart\/|features\/instances\/serial\/(?!CliCommand|stream-url)|serial-console\.tsx\?/
const forms = /react-hook-form|kit\/forms\/(?!UnsavedGuard)/
/** A page component, split off its route file by the router's plugin, unless it is a form. */
const page = /(?<!(-new|edit)(\.\{-\$\w+\})?|-add|-upload)\.tsx\?tsr-split=/
const formPage = /((-new|edit)(\.\{-\$\w+\})?|-add|-upload)\.tsx\?tsr-split=/
/** Pages below one object of a project or silo. All other pages are lists, or as small as one. */
const detail = /\$(?!project)\w+.*\?tsr-split=/

const areas: readonly (readonly [name: string, paths: RegExp])[] = [
  ['audit', /\/audit(-log)?[/.]/],
  ['alerts', /\/_?alerts[/.-]/],
  ['support', /\/_?support-bundles[/.-]/],
  ['updates', /\/updates\/|\/_update\//],
  ['inventory', /\/inventory\//],
  ['rack-network', /\/rack-network\/|system\/networking\/(_rack|address-lots|port-settings)/],
  // One area, because its pages share cards that would otherwise land in the shell.
  ['capacity', /\/(system-ip-pools|system\/networking)\/|\/utilization[./]/],
  ['map', /\/vpcs\/map\/|\/map\.tsx\?/],
  ['security', /\/sign-in\/(factors|password)\/|settings\/(security|profile)\./],
  ['settings', /\/(settings|access-tokens|sessions|_?ssh-keys)\//],
  ['networking', /\/(firewall|addresses|ip-pools|_?vpcs|_floating-ips)\//],
  ['instances', /\/(instances|lookup)\/|\/instances-new/],
  // Apart from the rest of the storage, whose forms are also in dialogs of instances.
  ['image-uploads', /\/images\/upload\/|\/_images\/images-new\./],
  ['storage', /\/(_?disks|_?snapshots|_?images)\//],
  ['probes', /\/_?probes[/.-]/],
  ['metrics', /\/metrics\.tsx|\/_?saved-queries[/.-]/],
  ['affinity', /\/_?affinity(-groups)?\//],
  ['projects', /\/_?projects\/(?!\$)|features\/projects\//],
  ['silos', /\/(_?silos|_?certificates)[/.]/],
  ['people', /\/_?people\//],
  ['access', /\/access[./]/],
  ['built-in-users', /\/_?built-in-users[/.]/],
  // The frame of the system area, with what all of its pages load.
  ['operators', /\/system\/route\./],
  ['system', /\/system\/(index|issues)\.|features\/system\//],
]

/**
 * Operations that few pages use. All are imported through one table, so the graph would say that every page uses every
 * one.
 */
const ownOperations: readonly (readonly [chunk: string, paths: RegExp])[] = [
  ['alerts', /client\/operations\/system-alerts\./],
  // With what uploads of releases need too, which would otherwise load with every page.
  ['image-uploads', /client\/operations\/image-uploads\.|images\/upload\/retry\./],
  ['metrics', /client\/operations\/extension-(metric-queries|names)\./],
  ['pool-changes', /client\/operations\/system-ip-pools\.changes\./],
  ['silo-changes', /client\/operations\/system-silos\.changes\./],
  ['rack-network', /client\/operations\/system-networking\./],
  ['updates', /client\/operations\/system-update\./],
  ['operators', /client\/operations\/(extension-)?system(-hardware|-silos|-ip-pools)?\./],
  ['experimental', /client\/operations\/experimental\./],
  ['vpc-changes', /client\/operations\/vpcs\.changes\./],
  ['sign-in-operations', /client\/operations\/extension-login\.changes\./],
  // Of VPCs and of instances, and of no other details.
  ['firewall-shared', /features\/firewall\/(ConflictSlot|merge|queries|rule|save|use-save-rules|words)\./],
  // Of a silo's tab and of its form, and of no other details.
  ['silos', /features\/silos\/idps\/(actions|queries)\./],
  // With the modules that every user of these operations needs.
  ['affinity-shared', /client\/operations\/affinity\.|features\/affinity\/(links|queries|reasons|words)\./],
  // Of the settings, and of dialogs that confirm the identity of the user.
  ['own-credentials', /client\/operations\/extension-me\.changes\./],
]

/** Most users never open these pages, so their shared modules must not load with other pages. */
const isOfOperators = (root: string): boolean => /routes\/_console\/system\//.test(root)

/** A page of the system area is an area of its own unless listed above: few users open more than one. */
const systemPage = /routes\/_console\/system\/_?([a-z-]+)/

/** The project may be checked out in a folder that is named like an area. */
const inProject = (id: string): string => id.slice(Math.max(0, id.lastIndexOf('/packages/')))

const areaOf = (id: string): string | undefined =>
  areas.find(([, paths]) => paths.test(inProject(id)))?.[0] ?? systemPage.exec(id)?.[1]

/**
 * Groups modules into few chunks, so that a page needs few requests: React, libraries, code shared by both
 * applications, the shell with code shared by all pages, form code, and for each area its pages and its forms. A
 * module belongs to the area whose pages alone import it, whatever its folder, so no two chunks import each other.
 */
export function chunks(applications: Applications): Rolldown.CodeSplittingGroup {
  function chunkOf(id: string, graph: Graph): string | null {
    if (heavy.test(id)) return null
    if (react.test(id)) return 'react'
    if (forms.test(id)) return 'forms'
    const own = ownOperations.find(([, paths]) => paths.test(id))
    if (own) return own[0]
    const all = [...rootsOf(id, graph)]
    const roots = all.filter((root) => !heavy.test(root))
    if (roots.length === 0) return all.length > 0 ? null : 'forms'
    const isIn = (root: string) => roots.includes(root)
    const needs = roots.filter((root) => root !== applications.page && !isOfSignIn(root, graph))
    const isInFirst = isIn(applications.page) || isIn(applications.signIn)
    if (needs.length === 0) {
      if (isIn(applications.signIn)) return 'sign-in'
      return isIn(applications.page) ? null : 'sign-in-steps'
    }
    const lists = needs.filter((root) => page.test(root) && !detail.test(root))
    const isInShell = isIn(applications.console)
    if (isInFirst) return 'common'
    if (isInShell) return id.includes('/node_modules/') ? 'libraries' : 'shell'

    // A design system component used by one area only belongs to that area too.
    const isOfOne = isOfFeature.test(id) || areaOfAll(needs) !== undefined
    const ofArea = (users: readonly string[]) => (isOfOne ? areaOfAll(users) : undefined)
    const pages = needs.filter((root) => page.test(root) || formPage.test(root))
    // A page that needs one module of another area would load that whole area.
    if (lists.length > 0) return ofArea(pages) ?? (pages.every(isOfOperators) ? 'operators' : 'shell')
    const details = needs.filter((root) => page.test(root))
    const formPages = needs.filter((root) => formPage.test(root))
    if (details.length > 0)
      return (formPages.length === 0 && suffixed(ofArea(details), '-details')) || 'details'
    if (formPages.length > 0) return suffixed(ofArea(formPages), '-forms') ?? 'forms'
    return suffixed(ofArea(needs), '-dialogs') ?? (needs.every(areaOf) ? 'dialogs' : 'overlays')
  }
  return { name: chunkOf, debugName: 'chunks', includeDependenciesRecursively: false }
}

const isOfFeature = /src\/(features|routes)\//

function areaOfAll(roots: readonly string[]): string | undefined {
  const [first, ...others] = new Set(roots.map(areaOf))
  return others.length === 0 ? first : undefined
}

const suffixed = (area: string | undefined, suffix: string) => area && `${area}${suffix}`

/** Its application and steps, without what the console's own pages have of the feature. */
const signIn = /\/sign-in\/(?!factors\/|password\/|device\/|renew\/)|SignInDialog\.tsx$/

/** Includes the steps after a password, and the dialog that asks for it again. */
const isOfSignIn = (root: string, graph: Graph): boolean =>
  signIn.test(root) || importersOf(root, graph).dynamicImporters.every((each) => signIn.test(each))

/**
 * The entry points, dynamic imports and pages, that need this module. A form does not count for the page that
 * contains it.
 */
function rootsOf(id: string, graph: Graph): Set<string> {
  const seen = new Set([id])
  const roots = new Set<string>()
  // Iterating a set also visits items added during the loop.
  for (const each of seen) {
    const { importers, dynamicImporters, isEntry } = importersOf(each, graph)
    if (isEntry || dynamicImporters.length > 0) roots.add(each)
    if (each !== id && forms.test(each)) continue
    for (const importer of importers) seen.add(importer)
  }
  return roots
}

interface DeferredValue {
  importers: readonly string[]
  dynamicImporters: readonly string[]
  isEntry: boolean
}

const known = new Map<string, DeferredValue>()

function importersOf(id: string, graph: Graph): DeferredValue {
  const before = known.get(id)
  if (before) return before
  const info = graph.getModuleInfo(id)
  const found = {
    importers: info?.importers ?? [],
    dynamicImporters: info?.dynamicImporters ?? [],
    isEntry: info?.isEntry ?? false,
  }
  known.set(id, found)
  return found
}
