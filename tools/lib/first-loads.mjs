import fs from 'node:fs'
import path from 'node:path'

const kB = 1000

/** The same for every page. The route tree grows with each page of the console, by some 60 bytes. */
export const sharedLimits = { css: 18 * kB, fonts: 75 * kB, tree: 25 * kB }

/**
 * The limit of each class of pages, by the end of its URL, without the route tree: its heaviest page and a tenth, so
 * that what one resource adds turns no page of another red. What people feel is measured by `npm run bench -- list`
 * and counted by `first-load.e2e.ts`. The first match applies; a page without a match has no budget, and needs one.
 * @type {readonly { name: string, limit: number, fits: RegExp }[]}
 */
const classes = [
  { name: 'sign-in', limit: 98 * kB, fits: /^\/(login|device)(\/|$)/ },
  { name: 'serial console', limit: 262 * kB, fits: /\/serial-console$/ },
  { name: 'screen', limit: 262 * kB, fits: /\/screen$/ },
  {
    name: 'form',
    limit: 266 * kB,
    fits: /(-new|-add|-upload|-import|-new\/\{-\$\w+\}|\/edit(\/\{-\$\w+\})?)$/,
  },
  // The page of one object or a tab of it: everything a list needs, plus the object's actions.
  {
    name: 'detail',
    limit: 230 * kB,
    fits: /\/(?!projects\/)([a-z-]+s|i|affinity|saml)\/\$\w+(\/[a-z-]+)*(\/(\$\w+|\{-\$\w+\}))?$/,
  },
  { name: 'list', limit: 208 * kB, fits: /\/[a-z-]*s$/ },
  {
    name: 'page',
    limit: 208 * kB,
    fits: /\/(\$project|\$instance|affinity|profile|security|system|utilization|usage|inventory|networking|ip-pools-service|activity|past|recycle-bin|[a-z-]*delete(\/\$\w+)?|audit-log|fabric|allow-list|bgp|bfd|update)?$/,
  },
]

/** @param {string} url As spelled by its route file. */
export function classOf(url) {
  const found = classes.find(({ fits }) => fits.test(url))
  if (!found)
    throw new Error(`The page ${url} fits no kind of page: give it a budget in tools/lib/first-loads.mjs.`)
  return found
}

/**
 * Every page of the console, with the entry modules of its first load.
 * @param {string} sources The console's sources.
 */
export function pagesOf(sources) {
  const signIn = fs
    .readdirSync(path.join(sources, 'src/sign-in'))
    .filter((file) => /^(login|device)\..*\.tsx$/.test(file))
    .map((file) => ({ url: urlOf(file), modules: ['index.html', 'src/sign-in/open.tsx'] }))
  const files = fs
    .readdirSync(path.join(sources, 'src/routes'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => file.split(path.sep).join('/'))
  const console = files
    .filter((file) => isPage(file, files))
    .map((file) => ({
      url: urlOf(file),
      modules: [
        'index.html',
        'src/console.tsx',
        ...layoutsOf(file, files).map((each) => `src/routes/${each}`),
        `src/routes/${file}`,
      ],
    }))
  return [...signIn, ...console].sort((one, other) => (one.url < other.url ? -1 : 1))
}

/**
 * A layout wraps pages; if its folder is part of the URL and has no page of its own, it is a page itself.
 * @param {string} file
 * @param {readonly string[]} files
 */
function isPage(file, files) {
  const folder = path.posix.dirname(file)
  if (path.posix.basename(file) === '__root.tsx') return false
  if (path.posix.basename(file) !== 'route.tsx') return true
  return !path.posix.basename(folder).startsWith('_') && !files.includes(`${folder}/index.tsx`)
}

/**
 * @param {string} file
 * @param {readonly string[]} files
 */
const layoutsOf = (file, files) =>
  files.filter(
    (other) =>
      other !== file && other.endsWith('/route.tsx') && file.startsWith(other.replace('route.tsx', '')),
  )

/**
 * `_silo/_projects/projects.$project.edit.tsx` is /projects/$project/edit.
 * @param {string} file
 */
function urlOf(file) {
  const parts = file
    .replace(/\.tsx$/, '')
    // Except the dot in an optional part: {-$rule}.
    .split(/[/.]/)
    .filter((part) => !part.startsWith('_') && part !== 'index' && part !== 'route')
  return `/${parts.join('/')}`
}
