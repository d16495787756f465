import { resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Rolldown } from 'vite'

type Modules = Pick<Rolldown.PluginContext, 'getModuleInfo'>

/** Layouts that every first page needs anyway: apart they would only be one more request each. */
const firstLoad = new Set<string>(['/_console', '/_console/_silo', '/_console/projects/$project'])

/** What every list page is made of, beside the frame. */
const listPage = ['ResourceTable.tsx', 'ListPage.tsx', 'DocsPopover.tsx', 'columns.tsx', 'confirm.tsx']
const chunkOf = new Map<string, string>()

/**
 * Three chunks make a list page: the libraries, which change rarely and stay in caches from release to release,
 * the frame, and what lists share. Left to itself the bundler cuts them into dozens, which compress badly.
 */
function firstLoadChunk(id: string, modules: Modules): string | null {
  if (chunkOf.size === 0) {
    const main = resolve(import.meta.dirname, 'src/main.tsx')
    collect(main, 'console', modules)
    for (const file of listPage) {
      collect(resolve(import.meta.dirname, 'src/features/common', file), 'list', modules)
    }
  }
  return chunkOf.get(id) ?? null
}

/** The module and everything that it imports, dynamic imports aside. */
function collect(id: string, chunk: string, modules: Modules): void {
  if (chunkOf.has(id)) return
  const info = modules.getModuleInfo(id)
  if (!info) return
  chunkOf.set(id, /node_modules\/(react|react-dom|scheduler|@tanstack)\//.test(id) ? 'libraries' : chunk)
  for (const imported of info.importedIds) collect(imported, chunk, modules)
}

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
      codeSplittingOptions: { splitBehavior: ({ routeId }) => (firstLoad.has(routeId) ? [] : undefined) },
    }),
    react(),
    tailwindcss(),
  ],
  server: {
    port: 4000,
    ...(api && {
      proxy: Object.fromEntries(
        ['/v1', '/ext', '/device/auth', '/device/confirm', '/device/token', '/experimental'].map((path) => [
          path,
          { target: api, ws: true, headers: { origin: api } },
        ]),
      ),
    }),
  },
  build: {
    target: 'es2022',
    sourcemap: false,
    // The content security policy allows neither inline scripts nor data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: firstLoadChunk }] } } },
  },
})
