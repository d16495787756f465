/**
 * Paths of the reference API that this server does not serve yet, and the methods it lacks there: fleet resources,
 * visible to callers who may read the fleet. Callers get a specific refusal (`NotImplemented`), which does not look
 * like a wrong path. Serving an operation removes its method here; a test compares both.
 */
export const unservedPaths = {
  '/v1/system/update/repository': 'PUT',
  '/v1/system/update/repository/{system_version}': 'GET',
  '/v1/system/update/target-release': 'GET PUT',
  '/v1/system/update/trust-roots': 'GET POST',
  '/v1/system/update/trust-roots/{trust_root_id}': 'GET DELETE',
} as const satisfies Record<string, string>
