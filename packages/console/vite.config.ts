import { resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { firstLoadGroups } from './build/first-load-groups.ts'
import { directIcons, pageIcons } from './build/page-icons.ts'
import { lighterReact } from './build/lighter-react.ts'
import { preloads } from './build/preloads.ts'

type CodeSplitGroupings = ReadonlyArray<ReadonlyArray<'component' | 'loader'>>

/** Layouts that every first page needs anyway: apart they would only be one more request each. */
const firstLoad = new Set<string>(['/_console', '/_console/_silo', '/_console/projects/$project'])
/** Pages that people begin with ask for their data at once, the others when their code is there. */
const firstPages = new Set<string>(['/_console/_silo/_projects', '/_console/projects/$project/instances/'])

function splitBehavior({ routeId }: { routeId: string }): CodeSplitGroupings | undefined {
  if (firstLoad.has(routeId)) return []
  return firstPages.has(routeId) ? undefined : [['component', 'loader']]
}

const own = (file: string): string => resolve(import.meta.dirname, 'src', file)

/** What is opened by the main script, one or the other, and is fetched together with it (build/preloads.ts). */
const applications = { console: own('console.tsx'), signIn: own('sign-in/open.tsx') }

const groups = [
  ...firstLoadGroups({ main: own('main.tsx'), ...applications }),
  // Where every page is and what it asks for first (src/shell/first-routes.ts): one file, and not one for each page.
  { name: 'routes', test: /src\/(routes\/[^?]*|routeTree\.gen\.ts)$/ },
]

/** Parts of libraries, by who imports them, and our own lighter files in their place; each file says why. */
const lighter: { importer: string; part: string; file: string }[] = [
  {
    importer: 'lucide-react/dist/esm/icons/',
    part: '/createLucideIcon.mjs',
    file: own('shell/create-icon.ts'),
  },
  {
    importer: '/router-core/dist/esm/router.js',
    part: '/scroll-restoration.js',
    file: own('shell/scroll.ts'),
  },
  {
    importer: '/react-router/dist/esm/Match.js',
    part: '/scroll-restoration.js',
    file: own('shell/scroll.ts'),
  },
  { importer: '@tanstack/query-core/', part: '/mutationCache.js', file: own('data/query-parts.ts') },
  {
    importer: '/query-core/build/modern/query.js',
    part: '/infiniteQueryBehavior.js',
    file: own('data/query-parts.ts'),
  },
]

const lighterParts: Plugin = {
  name: 'lighter-parts',
  apply: 'build',
  enforce: 'pre',
  resolveId: (source, importer) =>
    lighter.find((each) => source.endsWith(each.part) && importer?.includes(each.importer))?.file ?? null,
  // An icon's name and size, and keys of its strokes, which never change their order.
  transform: (code, id) =>
    id.includes('lucide-react/dist/esm/icons/')
      ? code.replaceAll(/^ {2}(name|size): .*$|,\s*key: "\w+"/gm, '')
      : null,
}

/**
 * Vite wraps every `import()` to fetch scripts and style sheets ahead, of which there are none here: the wrapping would
 * be 2 kB of a first load. What the pattern does not know stays wrapped, and works.
 */
const plainImports: Plugin = {
  name: 'plain-imports',
  apply: 'build',
  enforce: 'pre',
  load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : null),
  renderChunk: (code) => code.replaceAll(wrappedImport, '$1'),
}
const wrappedImport =
  /__vitePreload\(async \(\) => \{\s*const \{[^{}]*\} = await (import\("[^"]*"\));\s*return \{[^{}]*\};\s*\}, [^()]*\)/g

/** A server that the development console talks to instead of the one inside the page: `npm run dev -- --api URL`. */
const api = process.env.GANTRY_API

export default defineConfig({
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      quoteStyle: 'single',
      semicolons: false,
      disableLogging: true,
      routeFileIgnorePattern: '\\.(test|part)\\.',
      codeSplittingOptions: { splitBehavior },
    }),
    react(),
    directIcons,
    pageIcons(own('shell/navigation.ts')),
    preloads({ 'data-console': applications.console, 'data-sign-in': applications.signIn }),
    lighterParts,
    lighterReact,
    plainImports,
    tailwindcss(),
  ],
  resolve: {
    // React has had the real one for years; the shim would only be one more copy of it.
    alias: [
      {
        find: 'use-sync-external-store/shim/with-selector',
        replacement: 'use-sync-external-store/with-selector',
      },
    ],
  },
  server: {
    port: 4000,
    ...(api && {
      proxy: Object.fromEntries(
        [
          '/v1',
          '/ext',
          '/device/auth',
          '/device/confirm',
          '/device/token',
          '/experimental',
          // The console's own pages are above it.
          '^/login/[^/]+/saml/[^/]+/redirect',
        ].map((path) => [path, { target: api, changeOrigin: true, ws: true, headers: { origin: api } }]),
      ),
    }),
  },
  build: {
    target: 'es2022',
    // All of them know light-dark(). Rewritten for older ones it is decided once, at the root, and the terminal, which
    // is dark in both themes, could not decide otherwise for itself.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    sourcemap: false,
    // The content security policy allows neither inline scripts nor data: addresses.
    assetsInlineLimit: 0,
    // The page names what its entry imports; lists of what each import() needs would weigh more than they save.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, files, { hostType }) => (hostType === 'html' ? files : []),
    },
    // One style sheet, so that no script has to fetch one.
    cssCodeSplit: false,
    // From which the build measures first loads (tools/lib/budget.mjs).
    manifest: true,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
})
