import { resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunkFiles } from './build/chunk-files.ts'
import { chunkMarks } from './build/chunk-marks.ts'
import { chunks } from './build/chunks.ts'
import { documentation } from './build/documentation/plugin.ts'
import { pageIcon } from './build/page-icon.ts'
import { preloads } from './build/preloads.ts'

const own = (file: string): string => resolve(import.meta.dirname, 'src', file)

/** The main script opens one of these, which loads in parallel with it (build/preloads.ts). */
const applications = { console: own('console.tsx'), signIn: own('sign-in/open.tsx') }

/** Chunks whose code mostly runs before the first page appears. */
const ofEveryPage = new Set(['react', 'libraries', 'common', 'shell'])

/** A server for the development console, instead of the control plane in the page: `npm run dev -- --api URL`. */
const api = process.env.GANTRY_API

export default defineConfig({
  plugins: [
    chunkMarks,
    tanstackRouter({
      // How the route tree is written stands in tsr.config.json, for `npm run generate` too.
      autoCodeSplitting: true,
      // Loaders belong to the page's chunk, because the route tree is in every first load.
      codeSplittingOptions: { defaultBehavior: [['component', 'loader'], ['errorComponent']] },
    }),
    react(),
    preloads({ 'data-console': applications.console, 'data-sign-in': applications.signIn }),
    chunkFiles,
    pageIcon,
    documentation(),
    tailwindcss(),
  ],
  resolve: {
    alias: [
      { find: /^#\//, replacement: `${own('')}/` },
      // React includes the hook; the shim would be a second copy.
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
          // The paths above this one are the console's own pages.
          '^/login/[^/]+/saml/[^/]+/redirect',
        ].map((path) => [path, { target: api, changeOrigin: true, ws: true, headers: { origin: api } }]),
      ),
    }),
  },
  build: {
    target: 'es2022',
    // All of these support light-dark(). For older targets it would be compiled to one decision at the root, which
    // the terminal, dark in both themes, could not override.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    sourcemap: false,
    // The content security policy allows data: URLs for images only.
    assetsInlineLimit: 0,
    // The page preloads the imports of its entry. Lists for each import() would cost more bytes than they save.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, files, { hostType }) => (hostType === 'html' ? files : []),
    },
    // One style sheet, so that no script must load one.
    cssCodeSplit: false,
    // The build measures first loads from the manifest (tools/lib/budget.mjs).
    manifest: true,
    rolldownOptions: {
      output: {
        // Makes the engine compile these chunks at once, instead of each function on its first call.
        postBanner: ({ name }) => (ofEveryPage.has(name) ? '//# allFunctionsCalledOnLoad' : ''),

        codeSplitting: {
          groups: [chunks({ page: resolve(import.meta.dirname, 'index.html'), ...applications })],
        },
      },
    },
  },
})
