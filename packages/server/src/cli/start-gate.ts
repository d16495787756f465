import type { ControlPlane } from '@gantry/control-plane/environment'

type Handled = Pick<ControlPlane, 'serves' | 'fetch' | 'upgrade' | 'certificates'>

/** Stands in for the control plane until it runs, so that the port can be taken before the database is open. */
export function startGate(): Handled & { open: (controlPlane: Handled) => void } {
  let behind: Handled | undefined
  const notYet = (): Response => {
    const headers = {
      'content-type': 'text/plain; charset=utf-8',
      'retry-after': '1',
      'cache-control': 'no-store',
    }
    return new Response('Gantry is starting.\n', { status: 503, headers })
  }
  return {
    open: (controlPlane) => (behind = controlPlane),
    serves: (method, pathname) => (behind ? behind.serves(method, pathname) : true),
    fetch: async (request, peer) => (behind ? behind.fetch(request, peer) : notYet()),
    certificates: async () => behind?.certificates() ?? [],
    upgrade: async (request, peer) => (behind ? behind.upgrade(request, peer) : notYet()),
  }
}
