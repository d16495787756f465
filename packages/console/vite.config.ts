import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Layouts that every first page needs anyway: apart they would only be one more request each. */
const firstLoad = new Set<string>(['/_console', '/_console/_silo', '/_console/projects/$project'])

/**
 * Three chunks make a list page: the libraries, which change rarely and stay in caches from release to release,
 * the frame, and what lists share. Left to itself the bundler cuts them into dozens, which compress badly.
 */
const groups = [
  {
    name: 'libraries',
    tags: ['$initial' as const],
    test: /node_modules\/(react|react-dom|scheduler|@tanstack)\//,
    priority: 3,
  },
  { name: 'console', tags: ['$initial' as const], priority: 2 },
  {
    name: 'list',
    test: /features\/common\/(ResourceTable|ListPage|DocsPopover|columns|confirm|use-list-page)/,
    priority: 1,
  },
]

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
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
})
