# JavaScript: files in both ways, streams, threads, child processes, a server that listens to itself.
#: needs node
#: package nodejs
prepare() {
    cat >main.js <<'JS'
const fs = require('fs'), http = require('http'), zlib = require('zlib'), {pipeline} = require('stream/promises');
const {execFileSync, fork} = require('child_process'), {Worker, isMainThread, parentPort} = require('worker_threads');
if (process.argv[2] === 'child') {
  process.on('message', m => { process.send(m * 2); process.disconnect(); });
} else if (!isMainThread) {
  fs.writeFileSync('from_worker', 'x'.repeat(100000));
  parentPort.postMessage(fs.statSync('from_worker').size);
} else (async () => {
  fs.writeFileSync('sync', Buffer.alloc(1 << 20, 7));
  const many = [];
  for (let i = 0; i < 50; i++) many.push(fs.promises.writeFile('async' + i, 'n' + i));
  await Promise.all(many);
  console.log(fs.readdirSync('.').length);
  await pipeline(fs.createReadStream('sync'), zlib.createGzip(), fs.createWriteStream('packed.gz'));
  console.log(fs.statSync('packed.gz').size);
  console.log(await new Promise(done => new Worker(__filename).on('message', done)));
  console.log(await new Promise(done => { const c = fork(__filename, ['child']); c.on('message', done); c.send(21); }));
  console.log(execFileSync('echo', ['from a child']).toString().trim());
  const server = http.createServer((_, answer) => answer.end('hello'));
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  const text = await new Promise(done => http.get({port: server.address().port}, r => r.on('data', d => done(d.toString()))));
  console.log(text);
  server.close();
  process.exitCode = 3;
})();
JS
}
run() {
    node main.js
}
