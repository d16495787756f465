import type { ControlPlane } from '@gantry/control-plane/environment'
import { plainAnswer } from '../http/plain-answer.ts'

type Handled = Pick<ControlPlane, 'serves' | 'fetch' | 'upgrade' | 'certificates'>

/** By `/openapi.json`, `gantry doctor` recognises a server. */
const paths: ReadonlySet<string> = new Set(['/ext/v1/changes', '/v1/ping', '/openapi.json'])
const elsewhere = (): Response =>
  plainAnswer(
    404,
    'This process serves the stream of changes only. Send other requests to the main processes.\n',
  )

/** Serves only the change stream, a health check for load balancers, and the description of the API. */
export const streamOnly = (controlPlane: Handled): Handled => ({
  certificates: controlPlane.certificates,
  serves: () => true,
  fetch: async (request, peer) =>
    paths.has(new URL(request.url).pathname) ? controlPlane.fetch(request, peer) : elsewhere(),
  upgrade: async () => elsewhere(),
})
