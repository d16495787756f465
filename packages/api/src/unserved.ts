/**
 * Paths of the reference API that this server does not serve yet, and the methods it lacks there. Callers get
 * a specific refusal (`NotImplemented`), which does not look like a wrong path. Serving an operation removes
 * its method here; a test compares both.
 */
export const unservedPaths = {
  /** Fleet resources, visible to callers who may read the fleet. */
  fleet: {
    '/v1/system/update/repository': 'PUT',
    '/v1/system/update/repository/{system_version}': 'GET',
    '/v1/system/update/target-release': 'GET PUT',
    '/v1/system/update/trust-roots': 'GET POST',
    '/v1/system/update/trust-roots/{trust_root_id}': 'GET DELETE',
  },
  /** Requests open to every signed-in user, about their own projects and silo. */
  silo: {
    '/experimental/v1/probes': 'GET POST',
    '/experimental/v1/probes/{probe}': 'GET DELETE',
  },
} as const satisfies Record<'fleet' | 'silo', Record<string, string>>
