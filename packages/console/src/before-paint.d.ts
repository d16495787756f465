/** Whether a path is a sign-in page. public/before-paint.js needs the answer before any other script runs. */
declare function isSignInPath(path: string): boolean
