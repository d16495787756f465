import type { ControlPlane } from '@gantry/control-plane/environment'
import { plainAnswer } from '../http/plain-answer.ts'

type Handled = Pick<ControlPlane, 'serves' | 'fetch' | 'upgrade' | 'certificates'>

const paths: ReadonlySet<string> = new Set(['/ext/v1/changes', '/v1/ping'])
const elsewhere = (): Response =>
  plainAnswer(
    404,
    'This process serves the stream of changes only. Send other requests to the main processes.\n',
  )

/** Serves only the change stream, and a health check for load balancers. */
export const streamOnly = (controlPlane: Handled): Handled => ({
  certificates: controlPlane.certificates,
  serves: () => true,
  fetch: async (request, peer) =>
    paths.has(new URL(request.url).pathname) ? controlPlane.fetch(request, peer) : elsewhere(),
  upgrade: async () => elsewhere(),
})
