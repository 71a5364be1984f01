"""
OpenStack Swift with its S3 API in one process, for tests: account and container servers in a folder of its own, an object server
in memory, and the proxy, all on free ports of loopback. Prints the proxy's port once it accepts requests, and ends when its
standard input closes, so it never outlives the tests.

Arguments: folder, access key (account:user), secret.
"""
import os
import sys

import eventlet

eventlet.monkey_patch()

from eventlet import tpool, wsgi  # noqa: E402
from swift.common import utils  # noqa: E402
from swift.common.ring import RingBuilder  # noqa: E402
from swift.common.wsgi import SwiftHttpProtocol, loadapp  # noqa: E402

folder, access_key, secret = sys.argv[1:4]
account, user = access_key.split(':')

STORAGE = """
[pipeline:main]
pipeline = server
[app:server]
use = egg:swift#{app}
"""

PROXY = """
[pipeline:main]
pipeline = catch_errors gatekeeper s3api tempauth bulk slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_{account}_{user} = {secret} .admin
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
"""

COMMON = """[DEFAULT]
swift_dir = {folder}
devices = {folder}/node
mount_check = false
log_level = CRITICAL
log_address = {folder}/no-log
"""


class Cache:
    """What Swift asks of memcached."""

    def __init__(self):
        self.values = {}

    def get(self, key, *_, **__):
        return self.values.get(key)

    def set(self, key, value, *_, **__):
        self.values[key] = value

    def delete(self, key, *_, **__):
        self.values.pop(key, None)


cache = Cache()


def prepared(app):
    def call(env, start_response):
        env['swift.cache'] = cache
        # Tests date objects back: x-amz-meta-stored-at, in seconds.
        stored_at = env.pop('HTTP_X_OBJECT_META_STORED_AT', None)
        if stored_at and env['REQUEST_METHOD'] == 'PUT':
            env['HTTP_X_TIMESTAMP'] = utils.Timestamp(stored_at).internal
        return app(env, start_response)
    return call


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, 'w') as conf:
        conf.write(text)
    return path


def serve(name, text):
    path = write(name + '-server.conf', COMMON.format(folder=folder) + text)
    app = prepared(loadapp(path, global_conf={'log_name': name}))
    eventlet.spawn(wsgi.server, listeners[name], app, protocol=SwiftHttpProtocol, log_output=False, debug=False,
                   capitalize_response_headers=False)


write('swift.conf', '[swift-hash]\nswift_hash_path_suffix = tests\n')
utils.set_swift_dir(folder)
listeners = {name: eventlet.listen(('127.0.0.1', 0)) for name in ('account', 'container', 'object', 'proxy')}
os.makedirs(os.path.join(folder, 'node', 'd1'))
for name in ('account', 'container', 'object'):
    ring = RingBuilder(2, 1, 0)
    port = listeners[name].getsockname()[1]
    ring.add_dev({'id': 0, 'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': port, 'device': 'd1', 'weight': 1.0})
    ring.rebalance()
    ring.get_ring().save(os.path.join(folder, name + '.ring.gz'))
serve('account', STORAGE.format(app='account'))
serve('container', STORAGE.format(app='container'))
serve('object', STORAGE.format(app='mem_object'))
serve('proxy', PROXY.format(account=account, user=user, secret=secret))
print(listeners['proxy'].getsockname()[1], flush=True)
tpool.execute(sys.stdin.read)
