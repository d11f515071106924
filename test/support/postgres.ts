// A PostgreSQL server of its own in a temporary folder, for one test file. The server refuses to run as root: then it runs as the user
// that Debian's package makes.
import { execFileSync } from "node:child_process"
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

const folders = (): ReadonlyArray<string> => {
  const debian = "/usr/lib/postgresql"
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  return [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env["PATH"] ?? "").split(":"),
  ]
}

/** The folder with the server's programs; undefined where it is not installed. */
export const programs = folders().find((folder) =>
  ["initdb", "pg_ctl"].every((name) => existsSync(join(folder, name))),
)

/** What is missing for a server; undefined where it is installed. */
export const missing = programs === undefined ? "PostgreSQL server (Debian's package postgresql)" : undefined

const idOf = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }))

export interface Postgres {
  /** with a password */
  readonly url: string
  /** Ends the server at once, as a crash does. */
  readonly crash: () => void
  readonly start: () => void
  /** Rows of a query, with `|` between values. */
  readonly query: (sql: string) => ReadonlyArray<string>
  /** Lets the database note every result that is ever written to a table of jobs that is there. */
  readonly noteResults: () => void
  /** The noted results, in the order in which they were written. */
  readonly noted: () => ReadonlyArray<{ readonly id: string; readonly result: string }>
  /** Lets the server take connections from other processes in TLS only, as "localhost". Returns the path of the authority's certificate. */
  readonly secure: () => string
  readonly remove: () => void
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer()
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** Where a server listens beside this machine's own address, and from where it lets clients in. */
export interface Beyond {
  readonly address: string
  /** such as 10.0.0.0/30 */
  readonly subnet: string
}

/** Makes and starts a server. */
export const make = async (beyond?: Beyond): Promise<Postgres> => {
  const bin = programs ?? ""
  const root = process.getuid?.() === 0
  const user = root ? { uid: idOf("-u"), gid: idOf("-g") } : {}
  const folder = mkdtempSync(join(tmpdir(), "vasst-postgres-"))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  const run = (name: string, args: ReadonlyArray<string>, env = {}): string =>
    execFileSync(join(bin, name), args, {
      ...user,
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"], LC_ALL: "C", ...env },
    })
  const data = join(folder, "data")
  let port = await freePort()
  execFileSync("sh", ["-c", `printf 's3cret%%word' > '${folder}/password'`])
  if (user.uid !== undefined) chownSync(join(folder, "password"), user.uid, user.gid)
  run("initdb", ["-D", data, "-U", "jobs", "-A", "scram-sha-256", "--pwfile", join(folder, "password"), "-N"])
  if (beyond !== undefined)
    appendFileSync(join(data, "pg_hba.conf"), `host all all ${beyond.subnet} scram-sha-256\n`)
  const addresses = ["127.0.0.1", ...(beyond === undefined ? [] : [beyond.address])].join()
  // A busy machine starts and stops a server slowly: pg_ctl's own limit is a minute.
  const waiting = ["-w", "-t", "600"]
  // The output of the server would keep the pipe open.
  const start = (): void => {
    const options = `-p ${port} -c listen_addresses=${addresses} -c unix_socket_directories='${folder}'`
    run("pg_ctl", ["-D", data, ...waiting, "-l", join(folder, "log"), "-o", options, "start"])
  }
  const stop = (mode: string): void => void run("pg_ctl", ["-D", data, "-m", mode, ...waiting, "stop"])
  for (let tries = 1; ; tries++) {
    try {
      start()
      break
    } catch (error) {
      // Another program may have taken the port since it was free.
      if (tries === 3) throw error
      port = await freePort()
    }
  }
  const query: Postgres["query"] = (sql) =>
    run("psql", ["-h", folder, "-p", String(port), "-U", "jobs", "-At", "-c", sql, "postgres"], {
      PGPASSWORD: "s3cret%word",
    })
      .split("\n")
      .filter((line) => line !== "")
  return {
    url: `postgres://jobs:s3cret%25word@127.0.0.1:${port}/postgres`,
    crash: () => stop("immediate"),
    start,
    query,
    noteResults: () =>
      void query(`CREATE TABLE noted (place SERIAL, id TEXT, result TEXT);
        CREATE OR REPLACE FUNCTION note() RETURNS trigger AS 'BEGIN INSERT INTO noted (id, result) VALUES (NEW.id, NEW.result); RETURN NEW; END' LANGUAGE plpgsql;
        CREATE TRIGGER note AFTER UPDATE ON vasst_jobs FOR EACH ROW WHEN (NEW.result IS NOT NULL) EXECUTE FUNCTION note()`),
    noted: () =>
      query("SELECT id || ' ' || replace(result, chr(10), ' ') FROM noted ORDER BY place").map((row) => {
        const blank = row.indexOf(" ")
        return { id: row.slice(0, blank), result: row.slice(blank + 1) }
      }),
    secure: () => {
      const openssl = (command: string): void =>
        void execFileSync("sh", ["-c", `openssl ${command}`], { ...user, cwd: data, stdio: "ignore" })
      openssl("req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ca.key -out ca.pem -subj /CN=authority")
      openssl("req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost")
      openssl(
        "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -out server.crt -extfile /dev/stdin <<END\nsubjectAltName=DNS:localhost\nEND\n",
      )
      query("ALTER SYSTEM SET ssl = on")
      const rules = join(data, "pg_hba.conf")
      writeFileSync(rules, readFileSync(rules, "utf8").replaceAll(/^host\b/gm, "hostssl"))
      query("SELECT pg_reload_conf()")
      return join(data, "ca.pem")
    },
    remove: () => {
      stop("immediate")
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
