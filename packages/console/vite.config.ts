import { resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunkFiles } from './build/chunk-files.ts'
import { chunks } from './build/chunks.ts'
import { pageIcon } from './build/page-icon.ts'
import { preloads } from './build/preloads.ts'
import { servedDocs } from './build/served-docs.ts'

const own = (file: string): string => resolve(import.meta.dirname, 'src', file)

/** The main script opens one of them, which is fetched together with it (build/preloads.ts). */
const applications = { console: own('console.tsx'), signIn: own('sign-in/open.tsx') }

/** Most of these chunks runs before a page is there. */
const ofEveryPage = new Set(['react', 'libraries', 'common', 'shell'])

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
      // A page's loader travels with the page: the tree of all routes is in every first load.
      codeSplittingOptions: { defaultBehavior: [['component', 'loader'], ['errorComponent']] },
    }),
    react(),
    preloads({ 'data-console': applications.console, 'data-sign-in': applications.signIn }),
    chunkFiles,
    pageIcon,
    servedDocs(['identity-providers.md']),
    tailwindcss(),
  ],
  resolve: {
    alias: [
      { find: /^#\//, replacement: `${own('')}/` },
      // React has had the real one for years; the shim would only be one more copy of it.
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
    // The content security policy allows no data: address but an image's.
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
    rolldownOptions: {
      output: {
        // Compiled whole at once, instead of each function again when it is first called.
        postBanner: ({ name }) => (ofEveryPage.has(name) ? '//# allFunctionsCalledOnLoad' : ''),

        codeSplitting: {
          groups: [chunks({ page: resolve(import.meta.dirname, 'index.html'), ...applications })],
        },
      },
    },
  },
})
